package report

// The objects of SARIF 2.1.0 that a report uses; section 3 of the standard
// says what each means.

type sarifText struct {
	Text string `json:"text"`
}

type sarifBase struct {
	Description sarifText `json:"description"`
}

type sarifRule struct {
	ID               string              `json:"id"`
	Name             string              `json:"name"`
	ShortDescription sarifText           `json:"shortDescription"`
	FullDescription  sarifText           `json:"fullDescription"`
	Help             sarifHelp           `json:"help"`
	Default          sarifDefault        `json:"defaultConfiguration"`
	Properties       sarifRuleProperties `json:"properties"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	ExitCode            int                 `json:"exitCode"`
	Execution           []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	Configuration       []sarifNotification `json:"toolConfigurationNotifications,omitempty"`
}

// sarifWithheld are the numbers of findings that are no results.
type sarifWithheld struct {
	Known      int `json:"known"`
	Suppressed int `json:"suppressed"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID              string                 `json:"ruleId"`
	RuleIndex           int                    `json:"ruleIndex"`
	Level               string                 `json:"level"`
	Message             sarifText              `json:"message"`
	Locations           []sarifLocation        `json:"locations"`
	PartialFingerprints map[string]string      `json:"partialFingerprints"`
	CodeFlows           []sarifCodeFlow        `json:"codeFlows,omitempty"`
	Properties          *sarifResultProperties `json:"properties,omitempty"`
}

type sarifResultProperties struct {
	Pointer string `json:"pointer,omitempty"` // JSON pointer of the place
	Story   string `json:"story,omitempty"`   // results of one code and story have one cause
}

type sarifLocation struct {
	PhysicalLocation *sarifPlace `json:"physicalLocation"`
	Message          *sarifText  `json:"message,omitempty"`
}

type sarifPlace struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifCodeFlow struct {
	ThreadFlows []sarifThread `json:"threadFlows"`
}

type sarifThread struct {
	Locations []sarifStep `json:"locations"`
}

type sarifStep struct {
	Location     sarifLocation `json:"location"`
	NestingLevel int           `json:"nestingLevel,omitempty"`
}
