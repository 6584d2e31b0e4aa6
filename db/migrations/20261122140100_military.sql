-- Accounts whose owner an identity provider has verified as serving or having served, for a year.
create table military_verification (
  account_id uuid primary key references account on delete cascade,
  subject text not null check (subject ~ '^[0-9a-f]{64}$'),
  service_group text not null check (length(service_group) between 1 and 60),
  verified_at timestamptz not null,
  ends_at timestamptz not null,
  constraint military_person_once unique (subject),
  constraint military_for_a_year check (ends_at > verified_at and ends_at <= verified_at + interval '366 days')
);
comment on column military_verification.subject is 'A hash of the provider and its subject: one person gives one account the discount.';
create index military_verification_by_end on military_verification (ends_at);

-- The verification an account has begun at the provider; the answer must come back to the same account.
create table military_attempt (
  account_id uuid primary key references account on delete cascade,
  state text not null check (length(state) between 32 and 64),
  nonce text not null check (length(nonce) between 32 and 64),
  code_verifier text not null check (length(code_verifier) between 43 and 128),
  return_path text not null check (length(return_path) between 1 and 200),
  begun_at timestamptz not null
);
create index military_attempt_by_begin on military_attempt (begun_at);
