import { MultiSelect } from '@mantine/core'
import { marketplaceLabel } from '../api/marketplaces.ts'
import { useSeller } from '../api/session.ts'

interface MarketplaceSelectProps {
  value: string[]
  onChange(marketplaceIds: string[]): void
  label?: string
  description?: string
  isRequired?: boolean
}

/** Chooses among the marketplaces of the seller. */
export function MarketplaceSelect(props: MarketplaceSelectProps) {
  const { value, onChange, label = 'Marketplaces', description, isRequired = true } = props
  const { seller } = useSeller()
  return (
    <MultiSelect
      label={label}
      description={description}
      required={isRequired}
      data={(seller?.marketplaceIds ?? []).map((id) => ({ value: id, label: marketplaceLabel(id) }))}
      value={value}
      onChange={onChange}
      error={isRequired && value.length === 0 ? 'Choose at least one.' : undefined}
    />
  )
}
