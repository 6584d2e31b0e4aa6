-- Who a type or a category is for, beside its definition.
alter table tire_type add column audience text not null default '';
alter table category add column audience text not null default '';

-- The lines made for one wheel diameter are found and counted in this index alone.
drop index item_by_size;
create index item_by_size on item (size_id) include (product_line_id, retail_cents, id, run_flat) where active;
