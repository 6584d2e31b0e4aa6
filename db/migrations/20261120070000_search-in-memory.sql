-- The search box matches names in the process now; nothing reads these any more.
drop index vehicle_by_typed_model;
drop index known_model_by_typed_model;
drop index product_line_by_typed_name;
drop index shop_by_typed_name;
drop index product_line_by_first_word;
drop index shop_by_first_word;
