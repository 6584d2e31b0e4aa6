/** Invariants of finished jobs and their tire registrations. Part of `invariants.ts`. */
import type { Invariant } from './invariants.ts'

export const workOrderInvariants: readonly Invariant[] = [
  {
    name: 'finished-job-has-every-tin',
    severity: 'error',
    of: 'finished jobs',
    statement: `
      select 'booking ' || job.booking_id as what, booking.state = 'done' and job.odometer_miles is not null and (job.code_matched_at is not null or job.signed_at is not null)
        and not exists (select from work_order_tire tire where tire.booking_id = job.booking_id and (tire.tin is null or tire.old_tread_32 is null))
        and (exists (select from work_order_tire tire where tire.booking_id = job.booking_id)
          <> exists (select from order_line where order_line.order_id = job.order_id and order_line.kind = 'service')) as holds
      from work_order job join booking on booking.id = job.booking_id where job.state = 'done'`,
  },
  {
    name: 'finished-job-is-registered',
    severity: 'error',
    of: 'tires of finished jobs',
    statement: `
      select 'tire ' || tire.position || ' of booking ' || tire.booking_id as what, registered.tin = tire.tin as holds
      from work_order_tire tire join work_order job on job.booking_id = tire.booking_id
        left join tire_registration registered on registered.booking_id = tire.booking_id and registered.line_no = tire.line_no and registered.nth = tire.nth
      where job.state = 'done'`,
  },
  {
    name: 'finished-job-has-every-piece',
    severity: 'error',
    of: 'finished jobs, by their pieces',
    statement: `
      select 'booking ' || job.booking_id as what, work_order_pieces_missing(job.booking_id, job.order_id) = 0 as holds
      from work_order job where job.state = 'done'`,
  },
  {
    name: 'finished-job-has-its-packet',
    severity: 'error',
    of: 'finished jobs of fleets',
    statement: `
      select 'booking ' || job.booking_id as what, coalesce(o.billing ->> 'poNumber', '') <> '' and job.vin_end is not null
        and packet.unit is not null and packet.driver is not null and packet.plate is not null and packet.plate_state is not null as holds
      from work_order job join fleet_packet packet on packet.order_id = job.order_id join sales_order o on o.id = job.order_id
      where job.state = 'done'`,
  },
  {
    name: 'recalled-buyer-is-told',
    severity: 'warning',
    of: 'registered tires under an open recall',
    statement: `
      select distinct 'tire ' || tire.id || ' of recall ' || recall.campaign as what,
        notice.recall_id is not null or greatest(recall.opened_at, tire.installed_at) > moment.now - interval '2 days' as holds
      from moment, recall join recall_range span on span.recall_id = recall.id
        join tire_registration tire on tire.plant = span.plant and tire.made_week between span.from_week and span.to_week
          and starts_with(tire.tin, span.plant || span.code) and lower(tire.brand) = lower(recall.maker)
        left join recall_notice notice on notice.recall_id = recall.id and notice.registration_id = tire.id
      where recall.state = 'open' and (recall.line is null or lower(tire.line) = lower(recall.line)) and (recall.sizes = '{}' or tire.size = any(recall.sizes))`,
  },
  {
    name: 'registration-export-is-whole',
    severity: 'error',
    of: 'exports of tire registrations',
    statement: `
      select 'export ' || no as what, tires = (select count(*) from tire_registration tire where tire.export_no = export.no and tire.brand = export.brand) as holds
      from tire_registration_export export`,
  },
  {
    name: 'registration-handed-over',
    severity: 'warning',
    of: 'makers that wait for registrations',
    statement: `
      select 'registrations for ' || brand as what, min(installed_at) > min(moment.now) - interval '30 days' as holds
      from tire_registration, moment where export_no is null group by brand`,
  },
]
