-- Makes tables of 1.2 of those of 1.1. Reservations and locks are left behind: both are over within a day.

DROP TRIGGER IF EXISTS records_changed;
ALTER TABLE records ADD COLUMN name_key INTEGER;
UPDATE records SET name_key = name_key_of(body ->> 'kind', body ->> 'name') WHERE json_valid(body);
CREATE INDEX records_by_name ON records (name_key);

CREATE TABLE keyed (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner TEXT,
  place TEXT NOT NULL,
  expires_at INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX keyed_by_place ON keyed (kind, place, key);
CREATE INDEX keyed_by_owner ON keyed (kind, owner, place, key);
CREATE INDEX keyed_by_end ON keyed (expires_at) WHERE expires_at IS NOT NULL;
INSERT INTO keyed SELECT 'audit_log', printf('%s %012d', at, entry), NULL, at, NULL, json_object(
  'at', at, 'operator', operator, 'action', action, 'subject', subject, 'outcome', outcome) FROM audit_log;
INSERT INTO keyed SELECT 'key_usage', key_hash || ' ' || date, key_hash, date, (unixepoch(date) + 400 * 86400) * 1000,
  json_object('keyHash', key_hash, 'date', date, 'requests', requests, 'exportedRows', exported_rows, 'pushedLeads',
    pushed_leads, 'lastUsedAt', last_used_at) FROM key_usage;
INSERT INTO keyed SELECT 'pushes', id, NULL, started_at, (unixepoch(updated_at) + 90 * 86400) * 1000, json_object(
  'id', id, 'keyHash', key_hash, 'keyPrefix', key_prefix, 'tool', tool, 'campaignId', campaign_id, 'status', status,
  'counts', json(counts), 'details', json(details), 'failure', json(failure), 'startedAt', started_at,
  'updatedAt', updated_at) FROM pushes;
INSERT INTO keyed SELECT 'key_pepper', 'proof', NULL, since, NULL, json_object('proof', proof, 'since', since)
  FROM key_pepper;
DROP TABLE audit_log;
DROP TABLE key_usage;
DROP TABLE pushes;
DROP TABLE key_pepper;
DROP TABLE reservations;
DROP TABLE job_locks;
DROP TABLE missed_searches;

CREATE TEMP TABLE old_keys AS SELECT * FROM api_keys;
CREATE TEMP TABLE old_orders AS SELECT * FROM orders;
CREATE TEMP TABLE old_events AS SELECT * FROM payment_events;
DROP TABLE payment_events;
DROP TABLE orders;
DROP TABLE api_keys;

CREATE TABLE api_keys (
  hash TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  secret_hash TEXT AS (body ->> 'secretHash'),
  retiring_hash TEXT AS (body -> 'retiring' ->> 'hash')
) STRICT;
CREATE INDEX api_keys_by_secret ON api_keys (secret_hash);
CREATE INDEX api_keys_by_retiring ON api_keys (retiring_hash);
INSERT INTO api_keys (hash, body) SELECT hash, json_patch(
  json_object('hash', hash, 'prefix', prefix, 'plan', json_object('tier', tier, 'expiresAt', expires_at), 'email', email,
    'orderId', order_id, 'createdAt', created_at, 'revokedAt', revoked_at),
  json_object('secretHash', secret_hash, 'renewals', json(renewals), 'retiring', iif(retiring_hash IS NULL, NULL,
    json_object('hash', retiring_hash, 'prefix', retiring_prefix, 'endsAt', retiring_ends_at)))) FROM old_keys;

CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  status TEXT AS (body ->> 'status'),
  created_at TEXT AS (body ->> 'createdAt'),
  checkout_reference TEXT AS (body ->> 'checkoutReference'),
  payment_reference TEXT AS (body ->> 'paymentReference')
) STRICT;
CREATE INDEX orders_by_checkout ON orders (checkout_reference);
CREATE INDEX orders_by_payment ON orders (payment_reference);
INSERT INTO orders (id, body) SELECT id, json_object('id', id, 'status', status, 'tier', tier, 'price', price, 'currency',
  currency, 'days', days, 'email', email, 'checkoutUrl', checkout_url, 'checkoutReference', checkout_reference,
  'paymentReference', payment_reference, 'customerReference', customer_reference, 'createdAt', created_at, 'paidAt',
  paid_at, 'planExpiresAt', plan_expires_at, 'refundedAt', refunded_at, 'suspendedAt', suspended_at, 'keyClaimedAt',
  key_claimed_at, 'keyHash', key_hash, 'renewsHash', renews_hash, 'askedAt', asked_at) FROM old_orders;

CREATE TABLE payment_events (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  received_at TEXT NOT NULL,
  handled_at TEXT,
  order_id TEXT,
  at TEXT AS (body ->> 'at'),
  checkout TEXT AS (body -> 'checkout' ->> 'reference'),
  payment TEXT AS (body ->> 'payment')
) STRICT;
CREATE INDEX payment_events_by_checkout ON payment_events (checkout) WHERE handled_at IS NULL;
CREATE INDEX payment_events_by_payment ON payment_events (payment) WHERE handled_at IS NULL;
CREATE INDEX payment_events_by_order ON payment_events (order_id);
INSERT INTO payment_events (id, body, received_at, handled_at, order_id) SELECT id, json_object('id', id, 'effect', effect,
  'orderId', order_id, 'checkout', iif(checkout IS NULL, NULL, json_object('reference', checkout, 'currency', currency,
    'subtotal', subtotal, 'unpaid', unpaid)), 'payment', payment, 'customer', customer, 'at', at),
  received_at, handled_at, order_id FROM old_events;
DROP TABLE temp.old_keys;
DROP TABLE temp.old_orders;
DROP TABLE temp.old_events;
