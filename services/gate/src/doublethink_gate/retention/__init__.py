"""Erases payloads, wrapped session keys and pages when their time is up, or when somebody who may says so."""
