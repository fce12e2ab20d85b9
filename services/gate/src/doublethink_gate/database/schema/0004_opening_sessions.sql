-- A session is stored before its first ledger row, in state 'opening', so that a gate that dies between the two
-- leaves no open chain that nobody can find: what was never quite opened is closed after a while.

ALTER TABLE gate.session
    DROP CONSTRAINT session_state_check,
    DROP CONSTRAINT session_check2,
    DROP CONSTRAINT session_check3,
    ADD CONSTRAINT session_state_known CHECK (state IN ('opening', 'open', 'closed', 'expired')),
    ADD CONSTRAINT session_closed_when_ended CHECK ((state IN ('opening', 'open')) = (closed_us IS NULL)),
    ADD CONSTRAINT session_no_pack_when_ended CHECK (state IN ('opening', 'open') OR pack_wrapped IS NULL);

DROP INDEX gate.session_open;
CREATE INDEX session_open ON gate.session (tenant, expires_us) WHERE state IN ('opening', 'open');
