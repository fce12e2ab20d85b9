"""Where checkpoints are copied to, outside of the database: folders, and object stores with a lock."""

from doublethink_sealer.places.folder import FolderPlace
from doublethink_sealer.places.object_store import ObjectStorePlace
from doublethink_sealer.places.place import MAX_NOTE_BYTES, Place

__all__ = ["MAX_NOTE_BYTES", "FolderPlace", "ObjectStorePlace", "Place"]
