"""Migration operations for database tables that are in use during play."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexOnline(AddIndex):
    """Add an index without blocking writes on PostgreSQL.

    The migration needs `atomic = False`. Django's own AddIndexConcurrently supports only
    PostgreSQL.
    """

    atomic = False

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        options = {"concurrently": True} if schema_editor.connection.vendor == "postgresql" else {}
        editor: Any = schema_editor
        editor.add_index(model, self.index, **options)
