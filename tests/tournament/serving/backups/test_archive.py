"""Backup archives, which are refused if damage has changed their data."""

import errno
import random
import zipfile
from pathlib import Path

import pytest

from tournament.serving.backups import archive
from tournament.serving.backups.facts import BackupError, BackupFacts

# Resembles a database: rows, followed by zeros. A flipped bit in the compressed zeros may have no
# effect.
CONTENT = b"SQLite format 3\0" + random.Random(27).randbytes(1_500) + bytes(4_000)


@pytest.fixture
def packed_backup(tmp_path: Path) -> Path:
    (tmp_path / "database").write_bytes(CONTENT)
    facts = BackupFacts(rows={}, actions={}, histories={}, migrations=[])
    archive.write(tmp_path / "night.backup", "sqlite", tmp_path / "database", facts)
    return tmp_path / "night.backup"


@pytest.mark.parametrize("bit", [1, 8, 128])
def test_flipped_bit_is_refused_or_has_no_effect(
    packed_backup: Path, tmp_path: Path, bit: int
) -> None:
    whole, refused = packed_backup.read_bytes(), 0
    for place in range(len(whole)):
        packed_backup.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        try:
            archive.read(packed_backup)
        except BackupError:
            refused += 1
        else:
            archive.unpack(packed_backup, tmp_path / "unpacked")
            assert (tmp_path / "unpacked").read_bytes() == CONTENT
    assert refused > len(whole) * 0.9


def test_truncated_file_is_refused(packed_backup: Path) -> None:
    whole = packed_backup.read_bytes()
    for length in range(0, len(whole), 97):
        packed_backup.write_bytes(whole[:length])
        with pytest.raises(BackupError, match="is no backup, or a damaged one"):
            archive.read(packed_backup)


def test_missing_file_is_reported_as_missing(tmp_path: Path) -> None:
    with pytest.raises(BackupError) as refused:
        archive.read(tmp_path / "none.backup")
    assert str(refused.value) == f"There is no file {tmp_path}/none.backup."


def test_unrelated_zip_file_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.backup", "w") as other:
        other.writestr("database", CONTENT)
    with pytest.raises(BackupError, match="is no backup, or a damaged one"):
        archive.read(tmp_path / "other.backup")


def test_failed_packing_leaves_no_partial_file(
    packed_backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_disk_full(*_given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = packed_backup.read_bytes()
    monkeypatch.setattr(zipfile.ZipFile, "writestr", raise_disk_full)
    facts = BackupFacts(rows={}, actions={}, histories={}, migrations=[])
    with pytest.raises(OSError, match="No space left"):
        archive.write(packed_backup, "sqlite", tmp_path / "database", facts)
    assert {path.name for path in tmp_path.iterdir()} == {"database", "night.backup"}
    assert packed_backup.read_bytes() == before
