-- Whoever wants no more mails of a kind, by the address they came to: with or without an account, and also after it was deleted.
create table mail_stop (
  kind text not null check (kind in ('rotation-due', 'membership-ending', 'referral-invite')),
  email text not null check (length(email) between 3 and 254),
  stopped_at timestamptz not null
);
-- Under every spelling of the address.
create unique index mail_stop_once on mail_stop (kind, mailbox_of(email));
