-- The office lists appointments that customers missed, newest first, at a cost that does not grow with the bookings.
create index booking_missed_by_start on booking (lower(during)) where state = 'no-show';
