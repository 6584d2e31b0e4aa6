-- When the button was pressed for which this charge pays, until that press has its answer: a press that never had one was cut off by a crash.
alter table payment add column pressed_at timestamptz;
create index payment_press_cut_off on payment (pressed_at) where order_id is null and pressed_at is not null;
