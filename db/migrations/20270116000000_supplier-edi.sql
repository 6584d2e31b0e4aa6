-- Suppliers that exchange EDI X12 files on their SFTP server.
alter table supplier
  add column edi_url text check (length(edi_url) <= 300 and edi_url ~ '^sftp://[^\s]+$'),
  add column edi_identity text check (edi_identity ~ '^[A-Za-z0-9._-]{1,15}$'),
  add column edi_username text check (edi_username ~ '^[^[:cntrl:]:]{1,100}$'),
  add column edi_secret bytea check (octet_length(edi_secret) <= 20000),
  add column edi_host_key text check (edi_host_key ~ '^SHA256:[A-Za-z0-9+/]{43}$'),
  add column edi_fault text check (length(edi_fault) between 1 and 200),
  add column edi_failed_at timestamptz,
  add column edi_read_at timestamptz,
  add constraint supplier_edi_whole check (num_nonnulls(edi_url, edi_identity, edi_username, edi_secret, edi_host_key) in (0, 5)),
  add constraint supplier_edi_has_identity check (edi_url is null or length(network_id) <= 15),
  add constraint supplier_one_system check (num_nonnulls(cxml_url, edi_url) <= 1),
  add constraint supplier_edi_fault_whole check ((edi_fault is null) = (edi_failed_at is null));
comment on column supplier.network_id is 'The supplier’s identity in cXML and EDI; null: staff place its orders and record its answers.';
comment on column supplier.edi_url is 'The folder on the supplier’s SFTP server. It has the folders `in` for orders and `out` for answers.';
comment on column supplier.edi_identity is 'The store’s interchange ID at the supplier.';
comment on column supplier.edi_secret is 'Sealed: the password, or the private key of the login.';
comment on column supplier.edi_host_key is 'The fingerprint of the SFTP server’s key, as OpenSSH writes it.';
comment on column supplier.edi_fault is 'Why the last exchange failed; null if it worked.';
comment on column supplier.edi_failed_at is 'Since when it fails in this way.';
comment on column supplier.edi_read_at is 'When the supplier’s files were last read.';
