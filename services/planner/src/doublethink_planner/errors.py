"""The planner's own errors.

Exception
├── ConfigError      the configuration file cannot be used; the message says what to change
├── FrameBroken      bytes between the serving process and a worker are not a frame
└── RpcError         (doublethink_rpc) what a caller gets: a code and nothing else

What a question can do wrong is in `doublethink_planner.question.errors`.
"""


class ConfigError(Exception):
    """The configuration file cannot be used. The message names the key and never holds a secret."""


class FrameBroken(Exception):
    """Bytes that are not a frame, one that is too large, or a stream that ends within one."""
