-- Percent off the whole order for those who pay with a lender, as staff schedule it. Of one way to pay, one runs at a time.
create table pay_later_offer (
  id integer generated always as identity primary key,
  form_key uuid not null unique,
  method text not null check (method in ('klarna', 'affirm', 'afterpay', 'lease', 'loan')),
  percent smallint not null check (percent between 1 and 50),
  funded_by text not null check (funded_by in ('store', 'lender')),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  created_by text not null check (length(created_by) between 1 and 254),
  created_at timestamptz not null,
  constraint pay_later_once_at_a_time exclude using gist (method with =, tstzrange(starts_at, ends_at) with &&)
);
create index pay_later_offer_by_end on pay_later_offer (ends_at, id);

create function pay_later_offer_only_ends_earlier() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'ends_at') <> (to_jsonb(old) - 'ends_at') or new.ends_at > old.ends_at then
    raise exception 'An offer for a way to pay is not edited; it only ends earlier.' using errcode = 'check_violation', constraint = 'pay_later_offer_never_edited';
  end if;
  return null;
end $$;
create trigger pay_later_offer_never_edited after update on pay_later_offer for each row execute function pay_later_offer_only_ends_earlier();

-- The first order of each customer that took the discount of the store's card; a canceled order gives it back.
create table store_card_use (
  order_id bigint primary key references sales_order,
  account_id uuid references account on delete set null,
  mailbox text not null check (length(mailbox) between 3 and 254),
  used_at timestamptz not null,
  canceled_at timestamptz
);
create unique index store_card_once_by_account on store_card_use (account_id) where canceled_at is null;
create unique index store_card_once_by_mailbox on store_card_use (mailbox) where canceled_at is null;
