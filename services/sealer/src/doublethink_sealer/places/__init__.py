"""Where checkpoints are copied to, outside of the database: folders, and object stores with a lock.

`object_store` is imported by name where a store is configured: its client library takes a third of a second.
"""

from doublethink_sealer.places.folder import FolderPlace
from doublethink_sealer.places.place import MAX_NOTE_BYTES, Place

__all__ = ["MAX_NOTE_BYTES", "FolderPlace", "Place"]
