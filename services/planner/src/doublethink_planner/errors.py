"""The planner's own errors.

Exception
├── FrameBroken      bytes between the serving process and a worker are not a frame
└── RpcError         (doublethink_rpc) what a caller gets: a code and nothing else

What a question can do wrong is in `doublethink_planner.question.errors`.
"""


class FrameBroken(Exception):
    """Bytes that are not a frame, one that is too large, or a stream that ends within one."""
