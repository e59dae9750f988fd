from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Live play"

    def ready(self) -> None:
        from django.utils import translation

        from games.rules import text

        text.install(translation)
