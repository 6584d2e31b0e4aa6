-- A pause may have no last day. It then ends on a day that never comes, because the previous release expects an end and
-- refuses bookings up to it.
comment on column shop.paused is 'Days on which the shop takes no new bookings; appointments that were kept stay. A pause without a last day ends on 9999-12-31.';
