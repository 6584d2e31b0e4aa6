-- What one tire costs as it is shown: the federal excise tax is the same for every buyer, so it is in the price.
alter table item add column shown_cents integer not null generated always as (retail_cents + fet_cents) stored;

-- The cheapest article of a line, and the lines made for one wheel diameter, are found by that price in these indexes alone.
drop index item_by_line;
create index item_by_line on item (product_line_id, shown_cents, id) include (size_id, run_flat) where active;
drop index item_by_size;
create index item_by_size on item (size_id) include (product_line_id, shown_cents, id, run_flat) where active;
