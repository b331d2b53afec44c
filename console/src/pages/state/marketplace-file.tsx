import { Button, FileInput, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { useProgress } from '../../api/progress.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { ProgressBars } from '../../ui/progress-bars.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useReplacedState } from './replaced-state.ts'
import { Section } from './section.tsx'

const FORMATS = ['yaml', 'json'] as const

export function MarketplaceFile() {
  return (
    <Section
      title="Marketplace file"
      about="Sellers, applications, products, listings, orders and subscriptions in one file."
    >
      <Group gap="xs">
        {FORMATS.map((format) => (
          <Button
            key={format}
            component="a"
            href={`/_souk/export?format=${format}`}
            download={`marketplace.${format}`}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Export {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      <ImportForm />
    </Section>
  )
}

function ImportForm() {
  const [file, setFile] = useState<File | null>(null)
  const replaced = useReplacedState()
  const load = useAct({
    run: async (chosen: File) => {
      const result = await bodyOf(
        controlPlane.POST('/_souk/import', {
          body: chosen.name,
          // The bytes of the file: its text would hide that it is not UTF-8.
          bodySerializer: () => chosen,
          headers: { 'content-type': chosen.name.endsWith('.json') ? 'application/json' : 'application/yaml' },
        }),
      )
      await replaced()
      return result
    },
    done: 'The marketplace of the file has replaced the one before.',
    changes: [],
    isErrorShown: true,
  })
  const tasks = useProgress(load.isPending, () => {})
  return (
    <>
      <Group gap="xs" align="flex-end">
        <FileInput
          label="File to import"
          placeholder="Choose a YAML or JSON file"
          accept=".yaml,.yml,.json"
          value={file}
          onChange={setFile}
          clearable
          w={240}
        />
        <ConfirmButton
          size="sm"
          disabled={file === null}
          loading={load.isPending}
          question={`Replace the whole marketplace by ${file?.name}? Everything else is lost.`}
          verb="Import"
          onConfirm={() => file && load.mutate(file)}
        >
          Import
        </ConfirmButton>
      </Group>
      {load.isPending && <ProgressBars tasks={tasks} />}
      {load.isError && <ErrorState error={load.error} />}
      {load.data && <JsonView label="applications of the file" value={load.data.applications} />}
    </>
  )
}
