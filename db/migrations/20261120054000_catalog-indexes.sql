-- What search and the line pages read, so that neither grows with the number of items.

-- The cheapest article of a line, its sizes and whether it comes as a run-flat, from the index alone.
drop index item_by_line;
create index item_by_line on item (product_line_id, retail_cents, id) include (size_id, run_flat) where active;

-- Names as people type them, without hyphens: "crv", "f150", "alltideas2". Trigrams forgive typing errors.
create index vehicle_by_typed_model on vehicle using gin (replace(model_slug, '-', '') gin_trgm_ops);
create index known_model_by_typed_model on known_model using gin (replace(model_slug, '-', '') gin_trgm_ops);
create index product_line_by_typed_name on product_line using gin (replace(slug, '-', '') gin_trgm_ops);
create index shop_by_typed_name on shop using gin (replace(slug, '-', '') gin_trgm_ops) where active;
