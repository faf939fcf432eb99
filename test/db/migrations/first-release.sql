-- A small installation as the first release left it (migrations up to 0005-channel-turns), with every kind of
-- row that it kept. The sealed values are of the key that tests have, the tokens those that the test shows.

insert into users (id, username, email, password_hash, role, display_name) values
  ('01a20369-3812-749e-a096-622071a1f0ab', 'root', null,
    '$argon2id$v=19$m=19456,p=1,t=2$HNf5Wyrj2JHNU2XoHM+wgg$7M9v4gjhdrLRWPD+gkK4zmmPHTb+KBAnPyttDLcIbmE',
    'admin', null),
  ('01a20369-39b1-76f1-bcdf-2b74f82aa621', 'ada', 'ada@example.net', null, 'member', 'Ada');

insert into sessions (id, user_id, remember, ip, user_agent, expires_at) values
  ('01a20369-3a40-7262-b8ee-3b6682d4a4ea', '01a20369-39b1-76f1-bcdf-2b74f82aa621', true, '192.0.2.200', 'Browser',
    now() + interval '20 days');
insert into refresh_tokens (hash, session_id) values
  (sha256('faU-TZE-8EoMe2npw90556eW8emC4XnDcX2zyb47fu0'), '01a20369-3a40-7262-b8ee-3b6682d4a4ea');
insert into personal_tokens (id, user_id, name, hash, token_prefix, permissions) values
  ('01a20369-3a80-745c-8269-f46279995514', '01a20369-39b1-76f1-bcdf-2b74f82aa621', 'script',
    sha256('zkp_OZOt1zepAe035GJXkStuXpqqgEMoSiI9kFVCM7NjQKB2mhdng'), 'zkp_OZOt1z',
    '{domains:read,records:read,records:write}');
insert into invitations (id, code_hash, code_prefix, role, max_uses, created_by) values
  ('01a20369-425f-7392-a44c-97e32b87f523', sha256('invitation'), 'FwpDX_', 'member', 1,
    '01a20369-3812-749e-a096-622071a1f0ab');

insert into provider_configs (id, provider, name, owner_id, credentials) values
  ('01a20369-3922-71d5-b39c-db62f7da8be9', 'powerdns', 'PowerDNS', '01a20369-3812-749e-a096-622071a1f0ab',
    '\x014bb06f8ec4e5070b1e65f59444423a7e098eebf89aab874acca8a50fe825dcab1869832fa06bc6868a4aa8ff92104cad45367eee9465ae4451e7c5396c876f49b16ff103e8bed16d484b7234bf5c3686ba244d785a55721e694027bfbb2e631c87ee2a938707a0bc6901e1f2adeada383a20'),
  ('01a20369-417d-732d-9283-b3d7c284cb9b', 'manual', 'manual', '01a20369-3812-749e-a096-622071a1f0ab',
    '\x014bb06f8e66ab55652660f8a53108a46401327d10cd886e47297985a65bd04b6ac81a');

insert into domains (id, name, unicode_name, provider_id, provider_config_id, zone_id, owner_id, group_name, tags, notes,
  expires_at, expiring_at, expiry_source, expiry_remind_days, default_ttl, record_count, record_version,
  last_synced_at, created_at) values
  ('01a20369-3985-71bf-8f0f-1a23d3718549', 'example.com', 'example.com', '0192f0a0-0000-7000-8000-000000000002',
    '01a20369-3922-71d5-b39c-db62f7da8be9', 'example.com.', '01a20369-3812-749e-a096-622071a1f0ab', '', '{}', '',
    null, null, null, '{30,14,7,1}', 3600, 15, 44, '2026-11-20 10:00Z', '2026-11-20 09:00Z'),
  ('01a20369-4194-728c-9486-b3063768b6fc', 'example.org', 'example.org', '0192f0a0-0000-7000-8000-000000000001',
    '01a20369-417d-732d-9283-b3d7c284cb9b', 'example.org', '01a20369-3812-749e-a096-622071a1f0ab', 'web', '{a,b}',
    'kept by hand', '2036-01-10Z', '2035-12-11Z', 'manual', '{30,7}', 3600, 1, 2, null, '2026-11-20 09:00Z');
insert into domain_lists (viewer, total, version) values
  ('00000000-0000-0000-0000-000000000000', 2, 3), ('01a20369-3812-749e-a096-622071a1f0ab', 2, 3),
  ('01a20369-39b1-76f1-bcdf-2b74f82aa621', 1, 2);

insert into records (id, domain_id, name, type, value, ttl, priority, status, version)
select ('00000000-0000-7000-8000-0000000000' || number)::uuid, '01a20369-3985-71bf-8f0f-1a23d3718549',
  name, type, value, ttl, priority, 'active', version
from (values
  (10, 'www', 'A', '192.0.2.1', 300, null, 1),
  (11, 'www', 'A', '192.0.2.2', 300, null, 1),
  (12, 'www', 'AAAA', '2001:db8::1', 300, null, 1),
  (13, 'alias', 'CNAME', 'www.example.com', 300, null, 1),
  (14, 'sub', 'NS', 'ns1.example.net', 300, null, 1),
  (15, '@', 'MX', '10 mail.example.com', 300, 10, 1),
  (16, '@', 'TXT', 'v=spf1 -all', 300, null, 1),
  (17, 'long', 'TXT', repeat('x', 300), 300, null, 1),
  (18, 'quoted', 'TXT', 'say "hi" \ ; é', 300, null, 1),
  (19, 'pasted', 'TXT', '"\"in quotes\""', 300, null, 1),
  (20, '_sip._tcp', 'SRV', '10 60 5060 sip.example.com', 300, 10, 1),
  (21, '@', 'CAA', '0 issue "letsencrypt.org"', 300, null, 1),
  (22, 'xn--bcher-kva.dev', 'A', '192.0.2.4', 300, null, 1),
  (23, 'moved', 'A', '192.0.2.11', 600, null, 2)
) as held (number, name, type, value, ttl, priority, version);
insert into records (id, domain_id, name, type, value, ttl, status) values
  ('00000000-0000-7000-8000-000000000030', '01a20369-4194-728c-9486-b3063768b6fc', '@', 'A', '192.0.2.7', 3600,
    'active');

insert into changes (id, domain_id, actor_id, actor_name, source, status, lease_until, created_at, settled_at)
select ('00000000-0000-7000-8000-0000000001' || number)::uuid, '01a20369-3985-71bf-8f0f-1a23d3718549',
  '01a20369-3812-749e-a096-622071a1f0ab', 'root', source, status, at, at,
  case when status <> 'pending' then at end
from (values
  (10, 'sync', 'applied', timestamptz '2026-11-20 10:00Z'),
  (11, 'single', 'applied', '2026-11-20 11:00Z'),
  (12, 'single', 'applied', '2026-11-20 12:00Z'),
  (13, 'apply', 'applied', '2026-11-20 13:00Z'),
  (14, 'single', 'failed', '2026-11-20 14:00Z'),
  (15, 'single', 'pending', '2026-11-20 15:00Z')
) as made (number, source, status, at);

insert into change_items (change_id, position, action, record_id, name, type, before, after, outcome, error)
select '00000000-0000-7000-8000-000000000110', row_number() over (order by id) - 1, 'create', id, name, type, null,
  jsonb_build_object('name', name, 'type', type, 'value', value, 'ttl', ttl, 'priority', priority, 'proxied', false),
  'applied', null
from records where id between '00000000-0000-7000-8000-000000000010' and '00000000-0000-7000-8000-000000000022';
insert into change_items (change_id, position, action, record_id, name, type, before, after, outcome, error) values
  ('00000000-0000-7000-8000-000000000111', 0, 'create', '00000000-0000-7000-8000-000000000023', 'moved', 'A', null,
    '{"ttl": 300, "name": "moved", "type": "A", "value": "192.0.2.10", "proxied": false, "priority": null}',
    'applied', null),
  ('00000000-0000-7000-8000-000000000112', 0, 'update', '00000000-0000-7000-8000-000000000023', 'moved', 'A',
    '{"ttl": 300, "name": "moved", "type": "A", "value": "192.0.2.10", "proxied": false, "priority": null}',
    '{"ttl": 600, "name": "moved", "type": "A", "value": "192.0.2.11", "proxied": false, "priority": null}',
    'applied', null),
  ('00000000-0000-7000-8000-000000000113', 0, 'delete', '00000000-0000-7000-8000-000000000024', 'gone', 'MX',
    '{"ttl": 300, "name": "gone", "type": "MX", "value": "20 mail.example.com", "proxied": false, "priority": 20}',
    null, 'applied', null),
  ('00000000-0000-7000-8000-000000000113', 1, 'delete', '00000000-0000-7000-8000-000000000025', 'gone', 'TXT',
    '{"ttl": 300, "name": "gone", "type": "TXT", "value": "v=1; \"x\"", "proxied": false, "priority": null}',
    null, 'applied', null),
  ('00000000-0000-7000-8000-000000000114', 0, 'create', '00000000-0000-7000-8000-000000000026', 'failed', 'A', null,
    '{"ttl": 3600, "name": "failed", "type": "A", "value": "192.0.2.99", "proxied": false, "priority": null}',
    'failed', 'PowerDNS cannot be reached'),
  ('00000000-0000-7000-8000-000000000115', 0, 'create', '00000000-0000-7000-8000-000000000027', 'late', 'A', null,
    '{"ttl": 3600, "name": "late", "type": "A", "value": "192.0.2.98", "proxied": false, "priority": null}',
    'pending', null);
-- The instance that made this change died before it knew what had become of it.
insert into records (id, domain_id, name, type, value, ttl, status) values
  ('00000000-0000-7000-8000-000000000027', '01a20369-3985-71bf-8f0f-1a23d3718549', 'late', 'A', '192.0.2.98', 3600,
    'pending');
insert into name_locks (domain_id, name, change_id) values
  ('01a20369-3985-71bf-8f0f-1a23d3718549', 'late', '00000000-0000-7000-8000-000000000115');

insert into audit (id, actor_id, actor_name, ip, action, target_type, target_id, target_name, before, after) values
  ('00000000-0000-7000-8000-000000000201', '01a20369-3812-749e-a096-622071a1f0ab', 'root', '192.0.2.200',
    'auth.login', 'user', '01a20369-3812-749e-a096-622071a1f0ab', 'root', null, '{"by": ["password"]}'),
  ('00000000-0000-7000-8000-000000000202', '01a20369-3812-749e-a096-622071a1f0ab', 'root', '192.0.2.200',
    'provider_config.created', 'provider_config', '01a20369-3922-71d5-b39c-db62f7da8be9', 'PowerDNS', null,
    '{"name": "PowerDNS", "credentials": {"apiKey": "••••", "apiUrl": "http://me:secret@127.0.0.1:8081"}}');

insert into assignments (id, user_id, domain_id, pattern, permission, created_by) values
  ('01a20369-4205-75bd-92a9-f324b1546f01', '01a20369-39b1-76f1-bcdf-2b74f82aa621',
    '01a20369-3985-71bf-8f0f-1a23d3718549', '*.dev', 'write', '01a20369-3812-749e-a096-622071a1f0ab');
insert into assignment_requests (id, user_id, domain_id, pattern, permission, reason, status) values
  ('00000000-0000-7000-8000-000000000301', '01a20369-39b1-76f1-bcdf-2b74f82aa621',
    '01a20369-3985-71bf-8f0f-1a23d3718549', 'www', 'read', 'please', 'pending');

insert into channel_configs (id, channel, name, config, events, enabled) values
  ('01a20369-4241-76e7-924f-4e8b2ca7b52d', 'webhook', 'Operations',
    '\x014bb06f8e4d0783280e56b0b218061e6231777992ae29d85c939dfb94c43160a54515733ed36b81db6992a95d17b170c997f8d251da2cba5547a10ca98303a31ef88bd7d5c7a5820bd6e7db3e75872fe17d8b8d9f3569573cfe00c943ac83dd2f4bc09feb68',
    '{domain.expiring}', true);
insert into deliveries (id, channel_id, event_id, event, message, status, tries, last_error) values
  ('00000000-0000-7000-8000-000000000401', '01a20369-4241-76e7-924f-4e8b2ca7b52d',
    '00000000-0000-7000-8000-000000000402', 'domain.expiring',
    '{"id": "00000000-0000-7000-8000-000000000402", "event": "domain.expiring", "title": "example.org expires soon", "content": "In 30 days", "level": "warning", "metadata": {"domainName": "example.org"}, "createdAt": "2026-11-20T10:00:00.000Z"}',
    'dead', 8, 'HTTP status 500');
-- A reminder that was noted, and not told yet.
insert into expiry_reminders (domain_id, expires_at, lead_days, event_id) values
  ('01a20369-4194-728c-9486-b3063768b6fc', '2036-01-10Z', 30, '00000000-0000-7000-8000-000000000403');

insert into idempotency_keys (user_id, key, request_hash, status, headers, body) values
  ('01a20369-3812-749e-a096-622071a1f0ab', 'once',
    '\x77e56215d658d41ea4cc1fd4a66ef162d7646e97787f26d0454e5ff12f6a2f30', 201,
    '{"location": "/api/domains/01a20369-4194-728c-9486-b3063768b6fc/records/00000000-0000-7000-8000-000000000030", "content-type": "application/json; charset=utf-8"}',
    '{"id":"00000000-0000-7000-8000-000000000030","warnings":[]}');
