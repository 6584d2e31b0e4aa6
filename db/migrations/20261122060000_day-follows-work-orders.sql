-- The day of a shop shows where each job is, and its other devices ask for the number of the calendar.
create trigger calendar_version_on_update after update on work_order
  referencing old table as was new table as became for each statement execute function calendar_part_changed();
comment on trigger calendar_version_on_update on work_order is 'The shop''s day shows how far a job is.';
