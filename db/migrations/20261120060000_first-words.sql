-- The first word is what people remember of a line or a shop, and what stands behind it must not hide a typing error in it: "alltyde" for
-- "Alltide GT", "haslted" for "Halsted Tire, Chicago".
create index product_line_by_first_word on product_line using gin (split_part(slug, '-', 1) gin_trgm_ops);
create index shop_by_first_word on shop using gin (split_part(slug, '-', 1) gin_trgm_ops) where active;
