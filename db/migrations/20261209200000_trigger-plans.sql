-- A session plans a trigger's statement once, usually for an update of one row. When it then updated 24,000 rows of stock,
-- the nested loop over old and new rows took a minute, and orders waited for the locked stock.
alter function note_stock_changes() set enable_nestloop = off;
alter function write_stock_changed() set enable_nestloop = off;
alter function review_changed() set enable_nestloop = off;
