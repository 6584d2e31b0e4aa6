-- Texts are agreed to on more pages: in the checkout, before there is an order, and in the account.

create table cart_text_wish (
  cart_id uuid primary key references cart on delete cascade,
  -- The words beside the box, as they were agreed to.
  words text not null check (length(words) between 1 and 600),
  wording smallint not null check (wording > 0),
  agreed_at timestamptz not null
);
comment on table cart_text_wish is 'Carts whose shopper checked the box for texts, with the words beside it. The order asks the phone to confirm.';

create table account_text (
  account_id uuid primary key references account on delete cascade,
  phone text not null references text_consent,
  asked_at timestamptz not null
);
comment on table account_text is 'The phone that gets texts about the orders of an account, once it has confirmed.';
create index account_text_by_phone on account_text (phone);

-- Which version of our words was agreed to; null for a word that came from the phone.
alter table text_consent_event add column wording smallint check (wording > 0);
