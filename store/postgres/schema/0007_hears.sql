-- Which nodes each hears over the bus, itself among them (ADR 17). Nobody has said so yet.
ALTER TABLE nodes ADD COLUMN hears bigint[] NOT NULL DEFAULT '{}';
