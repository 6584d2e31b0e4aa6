-- Transfers that the payout provider refused: found for the office, and asked again less and less often.
create index pay_transfer_refused on pay_transfer (intended_at, shop_id) where state = 'refused';
