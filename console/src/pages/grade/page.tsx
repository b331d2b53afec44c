import { Anchor, Code, FileInput, Paper, Stack, Text, Title } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { TextView } from '../../ui/json-view.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { GradeReport } from './grade-report.tsx'
import { type GradeCase, readJunit } from './junit-report.ts'

const COMMAND = 'npx souk grade --junit grade.xml --html grade.html -- npm test'

type Report = { cases: GradeCase[] } | { error: unknown }

export function GradePage() {
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<Report>()
  const read = async (chosen: File | null) => {
    setFile(chosen)
    if (!chosen) return setReport(undefined)
    try {
      setReport({ cases: readJunit(await chosen.text()) })
    } catch (error) {
      setReport({ error })
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const [dropped] = event.dataTransfer.files
    if (dropped) void read(dropped)
  }

  return (
    <Page
      title="Grade"
      about="How an integration behaves in a calm marketplace, and with each incident that concerns it."
    >
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Text size="sm">
            <Code>souk grade</Code> runs your tests, or any command that uses the Selling Partner API, without changes
            to it. Each run has a new marketplace. It checks whether tokens are cached, throttled calls wait and are
            repeated, lists are read to the end, expired links are replaced, and notifications that arrive twice have
            their effect once.{' '}
            <Anchor href="/docs/grade" target="_blank" size="sm" underline="always">
              All checks and options
            </Anchor>
          </Text>
          <TextView label="command" text={COMMAND} />
        </Stack>
      </Paper>
      <Paper withBorder p="md" onDragOver={(event: DragEvent) => event.preventDefault()} onDrop={drop}>
        <Stack gap="md">
          <div>
            <Title order={2} size="h4">
              Look at a report
            </Title>
            <Text size="sm" c="dimmed">
              Drop the file of --junit here, or choose it. It stays in this page.
            </Text>
          </div>
          <FileInput
            label="Report"
            placeholder="grade.xml"
            accept=".xml"
            value={file}
            onChange={(chosen) => void read(chosen)}
            clearable
            maw={320}
          />
          {report && ('error' in report ? <ErrorState error={report.error} /> : <GradeReport cases={report.cases} />)}
        </Stack>
      </Paper>
    </Page>
  )
}
