-- A visitor may hold only so many bays at once. Who holds is an opaque key that the web makes (a keyed hash of the network address); it is
-- forgotten when the hold ends.
alter table booking add column held_by text;
alter table booking add constraint booking_forgets_holder check (held_by is null or state = 'held');
create index booking_by_holder on booking (held_by) where state = 'held';
create index booking_by_cart on booking (cart_id, created_at);
