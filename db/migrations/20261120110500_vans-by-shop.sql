-- Where one van comes to; its key begins with the ZIP.
create index van_area_by_shop on van_area (shop_id);
