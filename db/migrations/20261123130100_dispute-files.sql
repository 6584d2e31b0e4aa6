-- What goes out with the evidence of a dispute as files: written down before it is sent, so that the same is sent again.
create table dispute_file (
  dispute_id bigint not null references dispute,
  -- Each provider has one place for each.
  kind text not null check (kind in ('shipping', 'completion', 'more')),
  name text not null check (length(name) between 5 and 100),
  content_type text not null check (content_type in ('application/pdf', 'image/jpeg')),
  -- Stripe takes 4.5 MB for a dispute, banks get what it forwards; PayPal takes more.
  bytes bytea not null check (octet_length(bytes) between 1 and 1500000),
  added_at timestamptz not null,
  added_by text not null check (length(added_by) between 1 and 254),
  primary key (dispute_id, kind)
);
comment on table dispute_file is 'Files that go out with the evidence of a dispute: proofs made of the order, and one that staff add.';
