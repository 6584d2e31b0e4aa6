-- Email sent on a schedule: appointment reminders, review invitations and rotation advice.

-- `dropped`: no longer true when it was due to be sent, such as a reminder of a canceled appointment.
alter table message drop constraint message_state_check;
alter table message add constraint message_state_check check (state in ('queued', 'sent', 'refused', 'dropped'));

alter table mail_stop drop constraint mail_stop_kind_check;
alter table mail_stop add constraint mail_stop_kind_check
  check (kind in ('rotation-due', 'membership-ending', 'referral-invite', 'review-invitation'));

-- The daily jobs read a few days of deliveries, and the appointments of the next two days.
create index shipment_by_delivery on shipment (delivered_at, order_id) where state = 'delivered';
create index booking_confirmed_by_start on booking (lower(during)) where state = 'confirmed';
