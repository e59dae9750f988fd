"""URLs of live play. The ids of matches in them cannot be guessed."""

from django.urls import path

from games import views

app_name = "games"

urlpatterns = [
    path("m/<slug:public_id>/", views.table, name="table"),
    path("m/<slug:public_id>/commentary/", views.commentary, name="commentary"),
    path("m/<slug:public_id>/result/", views.result, name="result"),
    path("m/<slug:public_id>/fair/", views.fair, name="fair"),
    path("m/<slug:public_id>/luck/", views.review, name="review"),
    path("m/<slug:public_id>/hands/<int:number>/", views.replay, name="replay"),
    path("m/<slug:public_id>/hands/<int:number>.json", views.record, name="record"),
    path("fair/<str:document>", views.fair_file, name="fair-file"),
    path("practice/", views.practice, name="practice"),
]
