-- Technicians who asked for a kind of email about their shop. Owners get each unless they stopped it (mail_stop).
create table shop_email_subscription (
  member_id uuid not null references shop_member (id) on delete cascade,
  kind text not null check (kind in ('shop-booking-news', 'shop-appointment-news')),
  subscribed_at timestamptz not null,
  primary key (member_id, kind)
);
comment on table shop_email_subscription is 'Technicians who asked for a kind of email about their shop; owners get each by default.';

alter table mail_stop drop constraint mail_stop_kind_check;
alter table mail_stop add constraint mail_stop_kind_check
  check (kind in ('rotation-due', 'membership-ending', 'referral-invite', 'review-invitation', 'shop-booking-news', 'shop-appointment-news'));

-- Every way in which an appointment is booked, changed or canceled writes an event, and every problem a shop reports
-- writes a report, so none can forget its email. The worker decides who gets one.
create function notify_teams_of_booking_event() returns trigger language plpgsql as $function$
begin
  perform graphile_worker.add_job('notify-teams', json_build_object('eventId', new.id), job_key := 'notify-teams:event:' || new.id)
  from booking
  where booking.id = new.booking_id and booking.order_id is not null
    and exists (select from shop_member member where member.shop_id = booking.shop_id and member.ended_at is null);
  return null;
end $function$;

create constraint trigger team_emails_of_booking_event after insert on booking_event deferrable initially deferred
  for each row when (new.to_state = 'confirmed' or (new.to_state = 'canceled' and new.from_state = 'confirmed'))
  execute function notify_teams_of_booking_event();
comment on trigger team_emails_of_booking_event on booking_event is 'Shops are emailed about appointments that are booked, changed and canceled.';

create function notify_teams_of_shop_report() returns trigger language plpgsql as $function$
begin
  perform graphile_worker.add_job('notify-teams', json_build_object('reportId', new.id), job_key := 'notify-teams:report:' || new.id);
  return null;
end $function$;

create trigger team_emails_of_shop_report after insert on shop_report
  for each row execute function notify_teams_of_shop_report();
comment on trigger team_emails_of_shop_report on shop_report is 'The store is emailed about problems that shops report.';
