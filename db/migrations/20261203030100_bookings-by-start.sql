-- The office's first page counts the appointments of all shops by day, the done and missed ones too.
create index booking_by_start on booking (lower(during)) where state in ('confirmed', 'done', 'no-show');
