package findings

// The objects of SARIF 2.1.0 in a report, with the names of the standard. Each field states its
// value, even where the standard's default is the same: -1 for an unknown number, an empty array
// for what a report does not have.

// none is an array that is always empty.
type none [0]struct{}

type sarifLog struct {
	Schema     string     `json:"$schema"`
	Version    string     `json:"version"`
	Runs       []sarifRun `json:"runs"`
	Properties struct{}   `json:"properties"`
}

type sarifRun struct {
	Addresses                none              `json:"addresses"`
	Graphs                   none              `json:"graphs"`
	Invocations              []sarifInvocation `json:"invocations"`
	Language                 string            `json:"language"`
	LogicalLocations         none              `json:"logicalLocations"`
	NewlineSequences         []string          `json:"newlineSequences"`
	Policies                 none              `json:"policies"`
	RedactionTokens          none              `json:"redactionTokens"`
	Results                  []sarifResult     `json:"results"`
	RunAggregates            none              `json:"runAggregates"`
	Taxonomies               none              `json:"taxonomies"`
	ThreadFlowLocations      none              `json:"threadFlowLocations"`
	Tool                     sarifTool         `json:"tool"`
	Translations             none              `json:"translations"`
	VersionControlProvenance none              `json:"versionControlProvenance"`
	WebRequests              none              `json:"webRequests"`
	WebResponses             none              `json:"webResponses"`
}

type sarifTool struct {
	Driver     sarifDriver `json:"driver"`
	Extensions none        `json:"extensions"`
}

type sarifDriver struct {
	Contents            []string    `json:"contents"`
	InformationURI      string      `json:"informationUri"`
	IsComprehensive     bool        `json:"isComprehensive"`
	Language            string      `json:"language"`
	Locations           none        `json:"locations"`
	Name                string      `json:"name"`
	Notifications       none        `json:"notifications"`
	Rules               []sarifRule `json:"rules"`
	SupportedTaxonomies none        `json:"supportedTaxonomies"`
	Taxa                none        `json:"taxa"`
	Version             string      `json:"version"`
}

// sarifRule is a reportingDescriptor.
type sarifRule struct {
	DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	FullDescription      sarifText          `json:"fullDescription"`
	Help                 sarifText          `json:"help"`
	HelpURI              string             `json:"helpUri,omitempty"`
	ID                   string             `json:"id"`
	Relationships        none               `json:"relationships"`
	ShortDescription     sarifText          `json:"shortDescription"`
}

type sarifConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
	Rank    int    `json:"rank"`
}

// sarifText is a multiformatMessageString.
type sarifText struct {
	Text string `json:"text"`
}

type sarifMessage struct {
	Arguments none   `json:"arguments"`
	Text      string `json:"text"`
}

type sarifInvocation struct {
	CommandLine                        string              `json:"commandLine"`
	ExecutionSuccessful                bool                `json:"executionSuccessful"`
	NotificationConfigurationOverrides none                `json:"notificationConfigurationOverrides"`
	RuleConfigurationOverrides         none                `json:"ruleConfigurationOverrides"`
	ToolConfigurationNotifications     none                `json:"toolConfigurationNotifications"`
	ToolExecutionNotifications         []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Locations []sarifLocation `json:"locations"`
	Message   sarifMessage    `json:"message"`
}

type sarifResult struct {
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Attachments         none              `json:"attachments"`
	BaselineState       string            `json:"baselineState,omitempty"`
	CodeFlows           none              `json:"codeFlows"`
	Fixes               none              `json:"fixes"`
	GraphTraversals     none              `json:"graphTraversals"`
	Graphs              none              `json:"graphs"`
	Kind                string            `json:"kind"`
	Level               string            `json:"level"`
	Locations           []sarifLocation   `json:"locations"`
	Message             sarifMessage      `json:"message"`
	OccurrenceCount     int               `json:"occurrenceCount,omitempty"`
	Rank                int               `json:"rank"`
	RelatedLocations    []sarifLocation   `json:"relatedLocations"`
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Stacks              none              `json:"stacks"`
	Taxa                none              `json:"taxa"`
}

type sarifLocation struct {
	Annotations      none                   `json:"annotations"`
	ID               int                    `json:"id"`
	LogicalLocations []sarifLogicalLocation `json:"logicalLocations"`
	PhysicalLocation sarifPhysicalLocation  `json:"physicalLocation"`
	Relationships    none                   `json:"relationships"`
}

type sarifLogicalLocation struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Index              int    `json:"index"`
	Kind               string `json:"kind"`
	ParentIndex        int    `json:"parentIndex"`
}

type sarifPhysicalLocation struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Region           *sarifRegion          `json:"region,omitempty"`
}

type sarifArtifactLocation struct {
	Index     int    `json:"index"`
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

// sarifRegion is a range of bytes, or a line.
type sarifRegion struct {
	ByteLength *int `json:"byteLength,omitempty"`
	ByteOffset int  `json:"byteOffset"`
	CharOffset int  `json:"charOffset"`
	StartLine  int  `json:"startLine,omitempty"`
}
