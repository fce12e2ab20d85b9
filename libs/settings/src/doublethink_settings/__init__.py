"""What a process is told at its start: a TOML file, secrets and keys, each by path, checked to the last key.

Everything that is wrong is a SettingsError of one line.
"""

from .errors import SettingsError
from .keys import KEY_BYTES, KeyVersions, read_key_folder
from .kinds import Address, Listen, Text
from .load import load_settings, settings_of
from .secret import read_secret

__all__ = [
    "KEY_BYTES",
    "Address",
    "KeyVersions",
    "Listen",
    "SettingsError",
    "Text",
    "load_settings",
    "read_key_folder",
    "read_secret",
    "settings_of",
]
