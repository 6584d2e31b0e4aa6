-- The wheel torque that shops record. The release before never reads this.

alter table work_order add column torque_lb_ft integer check (torque_lb_ft between 20 and 700);
comment on column work_order.torque_lb_ft is 'Torque of the wheel nuts as the shop set it, in pound-feet.';
