"""The library's one error."""


class SettingsError(Exception):
    """A settings, secret or key file cannot be used.

    The message is one line. It names the file, the key where there is one, and what is allowed there. It
    never repeats a value.
    """
