"""The URLs of all pages. Unknown and forbidden pages return the same 404."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from tournament.api.v1 import api
from tournament.api.views import describe_api, schema, unknown_endpoint
from tournament.serving.metrics import metrics
from tournament.serving.state.page import SitePage
from tournament.web.pages import attendance, careers
from tournament.web.pages import registration as players
from tournament.web.pages import results as points
from tournament.web.pages import standings as embedding
from tournament.web.pages.events import certificates, closing, events, rules
from tournament.web.pages.hall import boards, directory, pictures, screens
from tournament.web.pages.people import staff as invitations
from tournament.web.pages.people.accounts import (
    college,
    confirmation,
    desk_codes,
    look,
    public_page,
    push,
)
from tournament.web.pages.privacy import own_data_file, privacy
from tournament.web.pages.site import errors, languages

# Organizers sign in like all other users, with the same codes and limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

event_patterns = [
    path("", events.event, name="event"),
    path("rules/", rules.event_rules, name="event-rules"),
    path("register/", players.register, name="event-register"),
    path("here/", attendance.check_in_page, name="event-here"),
    path("door/<str:code>/", attendance.scan_entrance_code, name="event-door"),
    path("withdraw/", players.withdraw, name="event-withdraw"),
    path("my-table/", players.my_table, name="my-table"),
    path("my-table/after/", players.show_after_match, name="after-match"),
    path("back/", players.return_to_seat, name="im-back"),
    path("leaderboard/", events.leaderboard, name="event-leaderboard"),
    path("leaderboard/picture.png", pictures.leaderboard_picture, name="leaderboard-picture"),
    path("leaderboard/embed/", embedding.show_embedded_leaderboard, name="event-embed"),
    path("bracket/", events.bracket, name="event-bracket"),
    path("picture.png", pictures.event_picture, name="event-picture"),
    path("event.ics", pictures.event_calendar, name="event-calendar"),
    path("players/<int:number>/picture.png", pictures.player_picture, name="player-picture"),
    path("podium/", closing.show_closing, name="event-closing"),
    path("players/", directory.list_people, name="event-people"),
    path("players/<int:number>/", directory.player_page, name="event-player"),
    path("tables/", events.tables, name="event-tables"),
    path("watch/", events.watch, name="event-watch"),
    path("tables/<int:table_id>/points/", points.table_points, name="table-points"),
    path("results/", events.results, name="event-results"),
    path("hall/", screens.show_hall_screen, name="event-hall"),
    path("boards/", boards.show_event_boards, name="event-boards"),
    path("certificate.pdf", certificates.my_certificate, name="my-certificate"),
    path("history/", events.event_history, name="event-history"),
    path("history.json", events.history_file, name="event-history-file"),
]

urlpatterns = [
    path("", events.home, name="home"),
    path("boards/", boards.show_home_boards, name="home-boards"),
    path("e/<slug:slug>/", include(event_patterns)),
    path("certificates/<slug:certificate>/", certificates.certificate_page, name="certificate"),
    path("players/<slug:profile>/", careers.player_career, name="player-career"),
    path("my-table/", players.redirect_to_my_table, name="my-table-now"),
    path("my-match/", players.show_own_match, name="own-match"),
    path("my-events/", players.my_events, name="my-events"),
    path("privacy/", privacy, name="privacy"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("pictures/<slug:public_id>.png", pictures.match_picture, name="match-picture"),
    path("picture.png", pictures.home_picture, name="home-picture"),
    path("practice/picture.png", pictures.practice_picture, name="practice-picture"),
    path("rules/picture.png", pictures.rule_sets_picture, name="rule-sets-picture"),
    path("rules/<slug:ruleset>/picture.png", pictures.rules_picture, name="rules-picture"),
    path("rules/", rules.rule_sets, name="rule-sets"),
    path("rules/<slug:ruleset>/", rules.rules, name="rules"),
    path("sign-in/", desk_codes.sign_in, name="desk-sign-in"),
    path("sign-in/<str:code>/", desk_codes.sign_in, name="desk-sign-in"),
    path("accounts/profile/", players.profile, name="profile"),
    path("accounts/look/", look.choose_avatar, name="choose-look"),
    path("accounts/public-page/", public_page.switch_public_page, name="choose-public-page"),
    path("accounts/push/", push.push, name="push"),
    path("accounts/my-data.json", own_data_file, name="my-data"),
    path("accounts/sign-out-everywhere/", players.sign_out_everywhere, name="sign-out-everywhere"),
    path(
        "accounts/confirm-email/",
        confirmation.ConfirmAddress.as_view(),
        name="account_email_verification_sent",
    ),
    path("accounts/college/", college.sign_in, name="college-sign-in"),
    path("accounts/college/back/", college.callback, name="college-callback"),
    path("accounts/college/part/", college.unlink, name="college-part"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/site/", admin.site.admin_view(SitePage.as_view()), name="site-state"),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
    path("language/setlang/", languages.choose_language, name="set_language"),
    path("words/<str:language>/<str:version>.js", languages.catalogue, name="catalogue"),
    path("metrics", metrics, name="metrics"),
    path("api/", describe_api, name="api"),
    path("api/v1/openapi.json", schema, name="api-schema"),
    path("api/v1/", api.urls),
    path("api/v1/<path:rest>", unknown_endpoint, name="api-unknown"),
    path("favicon.ico", errors.favicon, name="favicon"),
    path("robots.txt", errors.robots, name="robots"),
]

handler400 = errors.show_bad_request
handler500 = errors.show_failure
