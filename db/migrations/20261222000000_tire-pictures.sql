-- A tire may have photos that its model's other tires don't have.
alter table line_picture
  alter column product_line_id drop not null,
  add column item_id integer references item on delete cascade,
  add constraint line_picture_of_line_or_item check (num_nonnulls(product_line_id, item_id) = 1),
  add constraint line_picture_item_id_picture_key_key unique (item_id, picture_key);
comment on table line_picture is 'Photos of a product line or of one item, in the order that staff chose.';
comment on column line_picture.product_line_id is 'The line whose items all show it; null for a photo of one item.';
comment on column line_picture.item_id is 'The only item that shows it, before the photos of its line.';
