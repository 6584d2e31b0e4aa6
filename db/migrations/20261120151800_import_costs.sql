-- What a tire costs us comes with its price, where the supplier's file says it.
alter table import_price add column cost_cents integer check (cost_cents > 0);
