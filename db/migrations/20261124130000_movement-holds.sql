-- What a provider sets aside while it decides, and lets go again, is listed among its movements.
alter table provider_movement drop constraint provider_movement_kind_check;
alter table provider_movement add constraint provider_movement_kind_check
  check (kind in ('charge', 'refund', 'refund-failure', 'dispute', 'dispute-reversal', 'fee', 'payout', 'transfer', 'hold', 'other'));
