"""The demo's forty fictional students, with names in four scripts.

Names and addresses are not those of real people.
"""

from tournament.pure.lists import ListedStudent

DOMAIN = "students.example.edu"

_CHEMICAL, _MECHANICAL, _PHYSICS = "Chemical Engineering", "Mechanical Engineering", "Physics"
_NAMES = {
    _CHEMICAL: [
        "Asha Venkatraman",
        "Ben Okonkwo",
        "Chitra Deshpande",
        "Dawit Bekele",
        "Elena Marković",
        "Farid Haddad",
        "Gauri Kulkarni",
        "Hiro Tanabe",
        "Imani Mwangi",
        "Joonas Lehtinen",
        "Kavya Nambiar",
        "Lucía Ferrer",
        "Mei-Ling Tsao",
        "निखिल भट्टराई",
    ],
    _MECHANICAL: [
        "Oluwaseun Adeyemi",
        "प्रिया रघुनाथन",
        "Quentin Lefèvre",
        "رخسانہ مرزا",
        "Sofia Lindqvist",
        "Tenzin Dolkar",
        "Uma Krishnaswamy",
        "Viktor Horváth",
        "Wanjiru Kamau",
        "Ximena Rojas",
        "Yusuf Demir",
        "Zainab Qureshi",
        "Anh Thư Phạm",
    ],
    _PHYSICS: [
        "Bronwyn Pryce",
        "Cedric Mbeki",
        "দেবিকা সেনগুপ্ত",
        "Emeka Nwosu",
        "Freya Halvorsen",
        "গোপাল চৌধুরী",
        "Hanna Zielińska",
        "Ishaan Malhotra",
        "Jomo Otieno",
        "Keiko Morishita",
        "ليلى بن علي",
        "Mateo Quiroga",
        "Nadia Sokolova",
    ],
}
_PREFIXES = {_CHEMICAL: "CH", _MECHANICAL: "ME", _PHYSICS: "PH"}


def list_students() -> list[ListedStudent]:
    """Return forty students of three departments, in mixed order."""
    rows = [
        _make_student(name, department, number)
        for department, names in _NAMES.items()
        for number, name in enumerate(names, start=1)
    ]
    return sorted(rows, key=lambda student: student.roll_number[2:])


def _make_student(name: str, department: str, number: int) -> ListedStudent:
    roll = f"{_PREFIXES[department]}{2300 + 7 * number}"
    programme = "PG" if number % 5 == 0 else "UG"
    year = str(1 + number % (2 if programme == "PG" else 4))
    return ListedStudent(roll, name, f"{roll.lower()}@{DOMAIN}", department, programme, year)
