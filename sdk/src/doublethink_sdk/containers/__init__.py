"""What containers need beside the services: certificates, keys and passwords, the database's roles, and attacks on the
isolation from inside.
"""
