"""Column headings that colleges, forms, learning platforms and registers use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tournament.pure.texts import clean_text

# Words before a heading that do not change its meaning, such as “your” in “Your Email”.
_BEFORE = (
    "student|students|your|candidate|candidates|participant|participants|applicant|applicants|"
    "current|the|primary|personal|main|my|enter|please|whatis|what's|type|write|official|"
    "आपका|अपना|আপনার|তোমার"
)
# Words that specify a number or address, such as “college” in “College Roll Number”. They are not
# allowed before “name”, because “College Name” is not the name of a student.
_ISSUER = (
    "college|university|univ|uni|institute|institutional|institution|exam|examination|class|board"
)
_AFTER = (
    "required|optional|official|college|university|inwords|incapitals|inblockletters|here|"
    "ofthestudent|ofstudent|ofthecandidate|ofcandidate"
)
_ROLL = (
    "roll|rollno|rollnumber|rollnum|rollid|rollnos|enrolment|enrollment|enrolmentno|enrollmentno|"
    "enrolmentnumber|enrollmentnumber|enrolmentid|enrollmentid|enrolno|enrollno|registrationno|"
    "registrationnumber|registrationid|regno|regnno|regnumber|regdno|regid|studentid|studentno|"
    "studentnumber|studentcode|id|idno|idnumber|usn|prn|urn|uid|crn|grno|admissionno|"
    "admissionnumber|admno|hallticketno|hallticketnumber|htno|scholarno|scholarnumber|matricno|"
    "matricnumber|matriculationno|matriculationnumber|indexno|indexnumber|registerno|"
    "registernumber|universityregno|seatno|seatnumber|rno|prnno|prnnumber|usnno|usnnumber|erpid|"
    "erpno|sapid|sapno|sid|enrno|enrlno|reg|regd|urnno|uidno|"
    "रोलन|नामांकनसं|पंजीकरणसं|पंजीयनक्रमांक|पंजीयनसं|हजेरीक्रमांक|பதிவுஎண்|பதிவெண்|சுழல்எண்|ரோல்எண்|రోల్నంబర్|హాల్టికెట్నంబర్|"
    "ರೋಲ್ಸಂಖ್ಯೆ|ನೋಂದಣಿಸಂಖ್ಯೆ|റോൾനമ്പർ|രജിസ്റ്റർനമ്പർ|રોલનંબર|ਰੋਲਨੰਬਰ|ରୋଲନମ୍ବର|رولنمبر|شمارهدانشجویی|"
    "अनुक्रमांक|रोलनंबर|रोलनम्बर|रोलनं|रोलनम्बर|रोलसंख्या|रोल|नामांकनसंख्या|नामांकनक्रमांक|पंजीकरणसंख्या|पंजीयनसंख्या|"
    "पंजीकरणक्रमांक|छात्रआईडी|छात्रसंख्या|"
    "রোল|রোলনং|রোলনম্বর|রোলনাম্বার|রোলসংখ্যা|রেজিস্ট্রেশননং|রেজিস্ট্রেশননম্বর|নিবন্ধননম্বর|নিবন্ধননং|রেজিনং|"
    "ভর্তিনম্বর|ছাত্রআইডি|শিক্ষার্থীআইডি|আইডি"
)
_NAME = (
    "name|fullname|nameinfull|nameofstudent|nameofthestudent|nameofcandidate|nameofthecandidate|"
    "nameofparticipant|nameoftheparticipant|namesofstudents|namesofstudent|nameofstudents|"
    "displayname|nameofthestudents|studentfullname|student|students|candidate|participant|"
    "nameandsurname|namesurname|nameandlastname|fullnameofthecandidate|fullnameofthestudent|"
    "विद्यार्थीकापूरानाम|छात्रकापूरानाम|नाव|पूर्णनाव|विद्यार्थ्याचेनाव|பெயர்|முழுப்பெயர்|மாணவர்பெயர்|పేరు|పూర్తిపేరు|విద్యార్థిపేరు|"
    "ಹೆಸರು|ವಿದ್ಯಾರ್ಥಿಯಹೆಸರು|പേര്|നാമം|નામ|પૂરુંનામ|વિદ્યાર્થીનુંનામ|ਨਾਮ|ਨਾਂ|ନାମ|نام|نامونامخانوادگی|پورانام|"
    "नाम|पूरानाम|छात्रकानाम|छात्राकानाम|विद्यार्थीकानाम|छात्रछात्राकानाम|प्रतिभागीकानाम|परीक्षार्थीकानाम|छात्रनाम|"
    "নাম|পুরোনাম|পূর্ণনাম|ছাত্রেরনাম|ছাত্রীরনাম|ছাত্রছাত্রীরনাম|শিক্ষার্থীরনাম|পরীক্ষার্থীরনাম|অংশগ্রহণকারীরনাম"
)
_EMAIL = (
    "email|emailid|emailaddress|emailaddresses|emails|mail|mailid|mailaddress|gmail|gmailid|"
    "emailidaddress|collegeemailid|workemail|primaryemail|"
    "ईमेल|ईमेलपता|ईमेलआईडी|ईमेलएड्रेस|मेल|मेलआईडी|"
    "ইমেইলঅ্যাড্রেস|ইমেলঅ্যাড্রেস|மின்னஞ்சல்|ఇమెయిల్|ಇಮೇಲ್|ഇമെയിൽ|ઈમેલ|ઇમેઇલ|ਈਮੇਲ|ଇମେଲ|ایمیل|ईमेलआयडी|"
    "ইমেল|ইমেইল|ইমেলঠিকানা|ইমেইলঠিকানা|ইমেলআইডি|ইমেইলআইডি|মেল|মেইল"
)
_DEPARTMENT = (
    "department|dept|deptt|departmentname|deptname|nameofdepartment|nameofthedepartment|branch|"
    "branchname|stream|discipline|school|faculty|major|specialisation|specialization|"
    "துறை|విభాగం|శాఖ|ವಿಭಾಗ|വകുപ്പ്|વિભાગ|ਵਿਭਾਗ|ବିଭାଗ|شعبہ|"
    "विभाग|विभागकानाम|शाखा|संकाय|বিভাগ|বিভাগেরনাম|শাখা|অনুষদ"
)
_PROGRAMME = (
    "programmeofstudy|programofstudy|classname|programme|program|programmename|programname|course|coursename|degree|level|ugpg|class|"
    "degreeprogramme|degreeprogram|nameofcourse|nameofprogramme|"
    "पाठ्यक्रम|कार्यक्रम|कोर्स|उपाधि|कक्षा|পাঠ্যক্রম|কার্যক্রম|কোর্স|ডিগ্রি|শ্রেণি|শ্রেণী"
)
_YEAR = (
    "year|yr|yearofstudy|studyyear|currentyear|academicyear|batch|batchyear|semester|sem|"
    "currentsemester|semesteryear|yearsemester|yearsem|semyear|"
    "वर्ष|साल|सेमेस्टर|अध्ययनवर्ष|সাল|বর্ষ|বছর|সেমিস্টার|শিক্ষাবর্ষ"
)
# The parts of a name, in the order in which they are joined.
NAME_PARTS = ("first", "middle", "last")
_FIRST = (
    "first|givennames|முதல்பெயர்|firstname|givenname|forename|firstnames|पहलानाम|प्रथमनाम|"
    "প্রথমনাম|নামেরপ্রথমঅংশ"
)
_MIDDLE = "middlename|middlenames|मध्यनाम|মধ্যনাম"
_LAST = (
    "last|கடைசிபெயர்|lastname|surname|familyname|lastnames|उपनाम|अंतिमनाम|अन्तिमनाम|कुलनाम|"
    "পদবি|পদবী|শেষনাম|উপাধি"
)


def fold_heading(heading: str) -> str:
    """Reduce a heading to its letters, marks and numbers, in lower case."""
    folded = unicodedata.normalize("NFKC", clean_text(heading)).casefold()
    characters = [character for character in folded if unicodedata.category(character)[0] in "LMN"]
    return unicodedata.normalize("NFC", "".join(characters))


def _compile_words(words: str, before: str = _BEFORE) -> re.Pattern[str]:
    folded, prefixes = (
        "|".join(fold_heading(word) for word in text.split("|")) for text in (words, before)
    )
    return re.compile(f"(?:{prefixes})*(?:{folded})(?:{_AFTER})*")


_PATTERNS = {
    "roll_number": _compile_words(_ROLL, f"{_BEFORE}|{_ISSUER}"),
    "name": _compile_words(_NAME),
    "email": _compile_words(_EMAIL, f"{_BEFORE}|{_ISSUER}"),
    "department": _compile_words(_DEPARTMENT),
    "programme": _compile_words(_PROGRAMME),
    "year": _compile_words(_YEAR),
    "first": _compile_words(_FIRST),
    "middle": _compile_words(_MIDDLE),
    "last": _compile_words(_LAST),
}
MAX_HEADING = 80


def parse_heading(heading: str) -> str | None:
    """Return the column or the part of a name that a heading means, or None.

    The heading may be in two languages, as in “नाम / Name”, or have a remark, as in “Email
    (official)”.
    """
    if len(heading) > MAX_HEADING:
        return None
    without_remark = re.sub(r"[(\[{].*?[)\]}]", " ", heading)
    for text in (heading, without_remark):
        if meaning := _find_meaning(text):
            return meaning
    meanings = {_find_meaning(part) for part in re.split(r"[/|()\[\]:\n]| [-–] ", heading)} - {None}
    if len(meanings) == 1:
        return meanings.pop()
    parts = {_find_meaning(part) for part in re.split(r"[,&+]|\band\b", heading)}
    return "name" if {"first", "last"} <= parts <= set(NAME_PARTS) else None


def _find_meaning(heading: str) -> str | None:
    folded = fold_heading(heading)
    return next((name for name, words in _PATTERNS.items() if words.fullmatch(folded)), None)


# People and places other than the student whose names or addresses a list may contain.
_OTHERS = re.compile(
    "father|mother|guardian|parent|spouse|emergency|mentor|college|institut|school|university|"
    "पिता|माता|অভিভাবক|পিতা|মাতা"
)


def join_headings(above: str, below: str) -> str:
    """Join the two lines of a heading. If the upper line only groups columns, it is omitted."""
    about_others = _OTHERS.search(fold_heading(above[:MAX_HEADING]))
    meaning, group = parse_heading(below), parse_heading(above)
    if meaning and not about_others and (not group or meaning in (group, *NAME_PARTS)):
        return below
    return f"{above} {below}".strip()


def parse_column_heading(heading: str) -> str | None:
    """Return the column that a heading means, or None. Parts of a name are not columns."""
    meaning = parse_heading(heading)
    return None if meaning in NAME_PARTS else meaning


def count_known_headings(cells: Sequence[str]) -> int:
    """Count the different columns and parts of a name that these headings mean."""
    return len({parse_heading(cell) for cell in cells} - {None})
