-- The roles and databases, cut by privilege. Run once per server by its administrator, before the migrations:
--
--     psql -v ON_ERROR_STOP=1 -f roles.sql postgres
--
-- No password is set here: give each LOGIN role one (\password ROLE), or the certificate or peer mapping that
-- the site uses. Running the file again changes nothing.
--
--   doublethink_owner      owns the gate's database and all in it; nobody can log in as it; may end retention's
--                          connections, as a member of that role
--   doublethink_migrator   may become the owner by SET ROLE, to apply migrations; used at installation only
--   doublethink_gate       appends to the ledger and reads it; keeps sessions, pages and facts
--   doublethink_sealer     reads ledger entries, no payload; adds checkpoints by one function
--   doublethink_retention  deletes payloads and wrapped session keys, no entry
--   doublethink_console    owns the console's database; has no right in the gate's

SELECT format('CREATE ROLE %I %s NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', name, attributes)
FROM (VALUES
    ('doublethink_owner', 'NOLOGIN'),
    ('doublethink_migrator', 'LOGIN NOINHERIT'),
    ('doublethink_gate', 'LOGIN'),
    ('doublethink_sealer', 'LOGIN'),
    ('doublethink_retention', 'LOGIN'),
    ('doublethink_console', 'LOGIN')
) AS role (name, attributes)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec

GRANT doublethink_owner TO doublethink_migrator;
-- So that an append may end an erasure that does not commit.
GRANT doublethink_retention TO doublethink_owner;

-- So that no role takes the connections that the gates need: what these leave is theirs, six for each gate.
-- max_connections has to be 43 and six for each gate, or more.
ALTER ROLE doublethink_migrator CONNECTION LIMIT 4;
ALTER ROLE doublethink_sealer CONNECTION LIMIT 8;
ALTER ROLE doublethink_retention CONNECTION LIMIT 4;
ALTER ROLE doublethink_console CONNECTION LIMIT 24;

SELECT format('CREATE DATABASE %I OWNER %I ENCODING ''UTF8'' TEMPLATE template0', name, owner)
FROM (VALUES
    ('doublethink_gate', 'doublethink_owner'),
    ('doublethink_console', 'doublethink_console')
) AS database (name, owner)
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = name)
\gexec

REVOKE ALL ON DATABASE doublethink_gate, doublethink_console FROM PUBLIC;
GRANT CONNECT ON DATABASE doublethink_gate
    TO doublethink_migrator, doublethink_gate, doublethink_sealer, doublethink_retention;
GRANT CONNECT ON DATABASE doublethink_console TO doublethink_console;
