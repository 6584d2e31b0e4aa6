-- A shop that refuses a job may have its tires already: the office then has them moved, from the same queue as pieces that are short or damaged.
alter table shop_report drop constraint shop_report_kind_check;
alter table shop_report add constraint shop_report_kind_check check (kind in ('short', 'damaged', 'stranded'));
alter table shop_report alter column line_no drop not null;
-- It is about all tires of the job, so it names no line.
alter table shop_report add constraint shop_report_of_pieces_names_line check ((kind = 'stranded') = (line_no is null));
comment on table shop_report is 'Pieces that shops reported as short or damaged, and tires left at a shop that refused their job, for the office to answer and close.';
create unique index shop_report_stranded_once on shop_report (booking_id) where kind = 'stranded';
