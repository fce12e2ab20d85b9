# Sourced by the PostgreSQL image once, after roles.sql: each role that logs in gets the password of its file.
for role in gate sealer migrator retention console; do
    psql --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
        --set role="doublethink_$role" --set password="$(cat "/passwords/$role")" <<'SQL'
ALTER ROLE :"role" PASSWORD :'password';
SQL
done
